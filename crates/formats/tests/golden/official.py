"""The golden records through the official libraries: Protocol Buffers by descriptors, Thrift by struct specifications."""

import base64
import io
import pathlib
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.internal import decoder, encoder
from grpc_tools import protoc
from thrift.protocol.TBase import TBase
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

MESSAGES = {"everything2": "Everything", "everything3": "Everything", "extremes": "Extremes", "dns": "Dns", "dns-text": "DnsText"}


def protobuf(schema, message):
    """The class of a message, by a descriptor set that protoc makes."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "set.pb")
        if protoc.main(["protoc", f"-I{schema.parent}", f"--descriptor_set_out={path}", str(schema)]) != 0:
            raise SystemExit(f"protoc refuses {schema}")
        files = descriptor_pb2.FileDescriptorSet.FromString(path.read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(message))


def protobuf_each(record, value):
    return json_format.ParseDict(value, record()).SerializeToString(deterministic=True)


def protobuf_stream(record, values, tag=b""):
    parts = [protobuf_each(record, value) for value in values]
    return b"".join(tag + encoder._VarintBytes(len(part)) + part for part in parts)


def protobuf_list(record, values):
    return protobuf_stream(record, values, encoder.TagBytes(1, 2))


def protobuf_parts(data, framing):
    """The bytes of each record."""
    at, parts = 0, []
    while framing != "each" and at < len(data):
        if framing == "list":
            assert data[at] == 10, "a record's tag"
            at += 1
        size, at = decoder._DecodeVarint(data, at)
        parts.append(data[at : at + size])
        at += size
    return parts or [data]


THRIFT = {"thrift-binary": TBinaryProtocol, "thrift-compact": TCompactProtocol}
COLOUR = {"RED": 1, "GREEN": 2, "BLUE": 70000}
LEAF = [(1, "id", "string"), (2, "weight", "i32")]
CHOICE = [(1, "name", "string"), (2, "number", "i64"), (3, "leaf", LEAF)]
STRUCTS = {
    "everything": [
        (1, "flag", "bool"), (2, "other", "bool"), (3, "small", "i8"), (4, "short", "i16"), (5, "whole", "i32"),
        (6, "long", "i64"), (7, "real", "double"), (8, "text", "string"), (9, "data", "binary"), (10, "colour", COLOUR),
        (11, "leaf", LEAF), (12, "choice", CHOICE), (13, "flags", ("list", "bool")), (14, "shorts", ("list", "i16")),
        (15, "leaves", ("list", LEAF)), (16, "names", ("set", "string")), (17, "by_text", ("map", "string", "i32")),
        (18, "by_number", ("map", "i64", LEAF)), (19, "rows", ("list", ("list", "i32"))),
        (20, "deep", ("map", "string", ("list", ("set", "i8")))), (100, "maps", ("list", ("map", "i32", "string"))),
        (101, "doubles", ("list", "double")), (32767, "far", "i32"),
    ],
    "dns": [(1, "sip", "i64"), (2, "dip", "i64"), (3, "sport", "i32"), (4, "dport", "i32")],
    "dns-text": [(1, "key", "string"), (2, "value", "string"), (3, "type", "string"), (4, "ttl", "i32"),
                 (5, "first", "string"), (6, "last", "string")],
}
SCALARS = {"bool": TType.BOOL, "i8": TType.BYTE, "i16": TType.I16, "i32": TType.I32, "i64": TType.I64,
           "double": TType.DOUBLE, "string": TType.STRING, "binary": TType.STRING}


def class_of(fields):
    """The class that the compiler would make of a struct."""
    return type("Struct", (TBase,), {"thrift_spec": struct_spec(fields)})


def ttype(of):
    if isinstance(of, str):
        return SCALARS[of]
    if isinstance(of, dict):
        return TType.I32
    return TType.STRUCT if isinstance(of, list) else {"list": TType.LIST, "set": TType.SET, "map": TType.MAP}[of[0]]


def spec(of):
    """The library's own description of a type."""
    if isinstance(of, list):
        made = class_of(of)
        return [made, made.thrift_spec]
    if isinstance(of, tuple) and of[0] == "map":
        return (ttype(of[1]), spec(of[1]), ttype(of[2]), spec(of[2]), False)
    if isinstance(of, tuple):
        return (ttype(of[1]), spec(of[1]), False)
    return {"string": "UTF8", "binary": "BINARY"}.get(of) if isinstance(of, str) else None


def struct_spec(fields):
    places = {id: (id, ttype(of), name, spec(of), None) for id, name, of in fields}
    return tuple(places.get(id) for id in range(max(places) + 1))


def to_thrift(value, of):
    if isinstance(of, list):
        struct = class_of(of)()
        for _, name, inner in of:
            setattr(struct, name, to_thrift(value[name], inner) if name in value else None)
        return struct
    if isinstance(of, dict):
        return of[value]
    if isinstance(of, tuple) and of[0] == "map":
        return {to_thrift(key, of[1]): to_thrift(one, of[2]) for key, one in value.items()}
    if isinstance(of, tuple):
        # A set's order is that of the records: a list is written the same way.
        return [to_thrift(one, of[1]) for one in value]
    return base64.b64decode(value) if of == "binary" else int(value) if of[0] == "i" else value


def from_thrift(value, of):
    if isinstance(of, list):
        found = {name: getattr(value, name, None) for _, name, _ in of}
        return {name: from_thrift(found[name], inner) for _, name, inner in of if found[name] is not None}
    if isinstance(of, dict):
        return {number: name for name, number in of.items()}[value]
    if isinstance(of, tuple) and of[0] == "map":
        return {str(key): from_thrift(one, of[2]) for key, one in value.items()}
    if isinstance(of, tuple):
        items = [from_thrift(one, of[1]) for one in value]
        # A set is read as one, and so in any order.
        return sorted(items) if of[0] == "set" else items
    return base64.b64encode(value).decode() if of == "binary" else value


def thrift(kind, framing, fields, records):
    buffer = TMemoryBuffer()
    protocol = THRIFT[kind](buffer)
    if framing == "list":
        to_thrift({"records": records}, listed(fields)).write(protocol)
    else:
        for record in records[:1] if framing == "each" else records:
            to_thrift(record, fields).write(protocol)
    return buffer.getvalue()


def thrift_records(kind, framing, fields, data):
    protocol = THRIFT[kind](TMemoryBuffer(data))
    records = []
    while protocol.trans._buffer.tell() < len(data):
        found = class_of(listed(fields) if framing == "list" else fields)()
        found.read(protocol)
        records.append(found)
    if framing == "list":
        return from_thrift(records[0], listed(fields))["records"]
    return [from_thrift(record, fields) for record in records]


def listed(fields):
    return [(1, "records", ("list", fields))]
