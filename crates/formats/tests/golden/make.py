#!/usr/bin/env python3
"""Writes the golden files beside it with the official Python libraries.

NAME.FORMAT.FRAMING.EXTENSION holds the records of NAME; NAME.json.list.json is what they are compared with.
`each` is the first record by itself. See README.md for the versions and how to run it.
"""

import copy
import csv
import io
import json
import math
import pathlib
import random
import string
import xml.etree.ElementTree as tree

import yaml

import official

HERE = pathlib.Path(__file__).parent
TEXTS = ["", "a", "Grüße, 名前 😀", "line\nbreak\ttab\r\n", 'say "hi" \\ back', "\u0001\u001f\u007f", "true", "007", "1e5", " both "]


# The entries of maps stand in the order in which the deterministic writer of Protocol Buffers puts them.


def everything2():
    first = {
        "i32": -1, "i64": -(2**40), "u32": 2**32 - 1, "u64": 2**63 + 1, "s32": -300, "s64": 2**50, "f32": 7,
        "f64": 2**60, "sf32": -7, "sf64": -(2**60), "flag": True, "float": 0.1, "double": 3.141592653589793,
        "text": TEXTS[2], "data": "AP8Q", "colour": "NEGATIVE",
        "me": {"i32": 0, "text": "", "me": {"i32": 5}},
        "group": {"a": 1, "texts": ["in", "a group"]},
        "plain": [0, -1, 1, 2**31 - 1, -(2**31)], "packed": list(range(-100, 100)), "texts": TEXTS,
        "chunks": ["", "AA==", "////"], "colours": ["RED", "GREEN", "RED", "NEGATIVE"],
        "leaves": [{"id": "a"}, {"id": "b", "leaves": [{"id": "c", "leaves": [{"id": ""}]}]}],
        "doubles": [0.0, -0.0, 0.25, -1e15], "flags": [True, False, True],
        "leaf": {"id": "chosen"},
        "by_text": {"a": -1, "名": 2**53, "": 0}, "by_number": {"-3": "", "70": "x" * 200, "0": "zero"},
        "by_flag": {"true": {"id": "yes"}, "false": {"id": "no"}}, "by_wide": {str(2**64 - 1): "GREEN", "1": "RED"},
        "far": 99,
    }
    second = {"i32": 0, "flag": False, "float": 0.0, "text": "", "data": "", "me": {"i32": 1}, "number": 0}
    return [first, second, {"i32": 2147483647, "name": ""}, {"i32": 1, "text": "y" * 3000}]


def everything3():
    first = {
        "i32": 300, "u64": 2**64 - 1, "s64": -(2**63), "f32": 1, "sf64": -1, "flag": True, "float": 1.5, "double": -0.0,
        "text": TEXTS[3], "data": "3q2+7w==", "colour": "GREEN", "leaf": {}, "told": 0, "said": "",
        "numbers": [0, 1, -1, 1000000], "floats": [0.5, -2.25], "wide": [0, 2**64 - 1], "texts": TEXTS,
        "colours": ["NONE", "RED", 77], "leaves": [{}, {"id": "b", "below": {"id": "c", "below": {}}}],
        "how": {"id": "so"}, "by_text": {"k": {"id": "v"}, "": {}}, "by_number": {"-2": 0.5, "9": 1.0, "0": 0.0},
    }
    return [first, {}, {"yes": False}, {"colour": 12345, "why": "because"}]


def extremes():
    ends = {"i32": (31, True), "i64": (63, True), "u32": (32, False), "u64": (64, False), "s32": (31, True),
            "s64": (63, True), "f32": (32, False), "f64": (64, False), "sf32": (31, True), "sf64": (63, True)}
    lows = {name: -(2**bits) if signed else 0 for name, (bits, signed) in ends.items()}
    highs = {name: 2**bits - 1 for name, (bits, _) in ends.items()}
    single = [3.4028234663852886e38, -3.4028234663852886e38, 1e-45, 1.1754943508222875e-38]
    double = [1.7976931348623157e308, 5e-324, 2.2250738585072014e-308, -1.7976931348623157e308, 1e23, 9007199254740993.0,
              1e16, 123456789012345680.0, 1e-5, 1e21, 1e22]
    records = [lows | {"float": single[0], "doubles": double}, highs | {"float": single[1], "double": double[0]}]
    records += [{"float": value} for value in single[2:]] + [{"double": value} for value in double]
    return records + [{"float": name, "double": name, "doubles": [name]} for name in ("NaN", "Infinity", "-Infinity")]


def everything():
    first = {
        "flag": True, "other": False, "small": -128, "short": -32768, "whole": -(2**31), "long": -(2**63), "real": -0.5,
        "text": TEXTS[2], "data": "AP8Q", "colour": "BLUE", "leaf": {"id": "", "weight": 0}, "choice": {"leaf": {"id": "x"}},
        "flags": [True, False, True], "shorts": list(range(-8, 8)), "leaves": [{"id": "a"}, {"id": "b", "weight": -1}],
        "names": ["", "one", "名"], "by_text": {"b": 1, "a": 2}, "by_number": {"7": {"id": "seven"}, "-7": {"id": ""}},
        "rows": [[], [1], list(range(20))], "deep": {"k": [[1, 2], []], "": []}, "maps": [{}, {"1": "x", "-1": "y"}],
        "doubles": [1.0, 0.1, -1e15], "far": 1,
    }
    empty = {"flag": False, "choice": {"number": 2**40}, "flags": [], "leaves": [], "names": [], "by_text": {}, "maps": []}
    most = {"flag": True, "small": 127, "short": 32767, "whole": 2**31 - 1, "long": 2**63 - 1, "text": "x" * 300}
    return [first, empty, most, {"flag": False, "choice": {"name": ""}, "far": -1}]


def dns(rng):
    network = 192 * 255**3 + 168 * 255**2 + 255
    ports = [21, 22, 25, 80, 110, 443]
    return [{"sip": network + rng.randrange(255), "dip": rng.randrange(1, 255**4), "sport": rng.randrange(1024, 2048),
             "dport": rng.choice(ports)} for _ in range(20)]


def dns_text(rng, by_number):
    letters = string.ascii_letters + string.digits
    draw = lambda count: "".join(rng.sample(letters, count))
    records = [{"key": draw(15), "value": draw(20), "first": draw(15), "last": draw(15),
                "type": rng.choice(["A", "CNAME"]), "ttl": rng.choice([86400, 3600, 60])} for _ in range(20)]
    return [{name: record[name] for name in by_number} for record in records]


def put(name, kind, framing, extension, content):
    content = content if isinstance(content, bytes) else content.encode()
    (HERE / f"{name}.{kind}.{framing}.{extension}").write_bytes(content)


def as_json(name, records):
    compact = lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    spaced = lambda value: json.dumps(value, ensure_ascii=False)
    put(name, "json", "list", "json", compact(records))
    put(name, "json", "each", "json", compact(records[0]))
    put(name, "json-spaced", "list", "json", spaced(records))
    put(name, "json-pretty", "list", "json", json.dumps(records, ensure_ascii=False, indent=2))
    put(name, "ndjson", "stream", "ndjson", "".join(compact(record) + "\n" for record in records))


def as_yaml(name, records):
    records = with_numbers(copy.deepcopy(records))
    dump = lambda value, flow: yaml.safe_dump(value, allow_unicode=True, sort_keys=False, default_flow_style=flow)
    put(name, "yaml", "list", "yaml", dump(records, False))
    put(name, "yaml", "each", "yaml", dump(records[0], False))
    put(name, "yaml-flow", "list", "yaml", dump(records, True))
    put(name, "yaml", "stream", "yaml", yaml.safe_dump_all(records, allow_unicode=True, sort_keys=False))


def with_numbers(value):
    """NaN and the infinities as numbers, where JSON has names for them."""
    if isinstance(value, dict):
        return {key: with_numbers(one) for key, one in value.items()}
    if isinstance(value, list):
        return [with_numbers(one) for one in value]
    return {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.get(value, value) if isinstance(value, str) else value


def as_table(name, records):
    out = io.StringIO()
    writer = csv.DictWriter(out, records[0].keys())
    writer.writeheader()
    writer.writerows(records)
    put(name, "csv", "list", "csv", out.getvalue())


def as_xml(name, records, message):
    root = tree.Element("records")
    for record in records:
        fill(tree.SubElement(root, message), record)
    tree.indent(root)
    put(name, "xml", "list", "xml", tree.tostring(root, encoding="utf-8", xml_declaration=True))


def fill(element, record):
    for name, value in record.items():
        tree.SubElement(element, name).text = str(value)


def as_protobuf(name, records, message):
    record = official.protobuf(HERE / f"{name}.proto", message)
    put(name, "protobuf", "list", "bin", official.protobuf_list(record, records))
    put(name, "protobuf", "stream", "bin", official.protobuf_stream(record, records))
    put(name, "protobuf", "each", "bin", official.protobuf_each(record, records[0]))


def as_thrift(name, records):
    for kind in official.THRIFT:
        for framing in ("list", "stream", "each"):
            put(name, kind, framing, "bin", official.thrift(kind, framing, official.STRUCTS[name], records))


def main():
    rng = random.Random(2024)
    text = dns_text(rng, ["key", "value", "first", "last", "type", "ttl"])
    made = {"everything2": everything2(), "everything3": everything3(), "extremes": extremes(), "everything": everything(),
            "dns": dns(rng), "dns-text": text}
    for name, records in made.items():
        as_json(name, records)
        as_yaml(name, records)
    for name, message in official.MESSAGES.items():
        as_protobuf(name, made[name], message)
    for name in official.STRUCTS:
        as_thrift(name, made[name])
    for name in ("dns", "dns-text"):
        as_table(name, made[name])
        as_xml(name, made[name], official.MESSAGES[name])


if __name__ == "__main__":
    main()
