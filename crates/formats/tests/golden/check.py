#!/usr/bin/env python3
"""Reads files that Bantam wrote, NAME.FORMAT.FRAMING.out in the folder given, with the official Python libraries, and
compares them with the records in NAME.json.list.json beside this script."""

import json
import math
import pathlib
import struct
import sys

import yaml
from google.protobuf import json_format

import official

HERE = pathlib.Path(__file__).parent
CLASSES = {name: official.protobuf(HERE / f"{name}.proto", message) for name, message in official.MESSAGES.items()}


def wanted(name, framing):
    records = json.loads((HERE / f"{name}.json.list.json").read_text("utf-8"))
    return records[:1] if framing == "each" else records


def check_protobuf(name, framing, data):
    if name not in CLASSES:
        return None
    record = CLASSES[name]
    parts = official.protobuf_parts(data, framing)
    found = [record.FromString(part).SerializeToString(deterministic=True) for part in parts]
    return found, [official.protobuf_each(record, value) for value in wanted(name, framing)]


def check_thrift(kind, name, framing, data):
    if name not in official.STRUCTS:
        return None
    return official.thrift_records(kind, framing, official.STRUCTS[name], data), wanted(name, framing)


def check_json(name, framing, data):
    text = data.decode()
    found = [json.loads(line) for line in text.splitlines()] if framing == "stream" else json.loads(text)
    return [found] if framing == "each" else found, wanted(name, framing)


def check_pretty(name, framing, data):
    text, at, found = data.decode(), 0, []
    while framing == "stream" and at < len(text):
        value, at = json.JSONDecoder().raw_decode(text, at)
        found.append(value)
        at += 1
    return (found, wanted(name, framing)) if framing == "stream" else check_json(name, framing, data)


def check_yaml(name, framing, data):
    found = list(yaml.safe_load_all(data)) if framing == "stream" else yaml.safe_load(data)
    expected = wanted(name, framing)
    return like([found] if framing == "each" else found, expected), expected


def like(found, expected):
    """What YAML 1.1, which PyYAML reads, takes for another kind: keys of maps, and `1e21`, a text without a point."""
    if isinstance(found, dict) and isinstance(expected, dict):
        named = {str(key).lower() if isinstance(key, bool) else str(key): value for key, value in found.items()}
        return {key: like(value, expected.get(key)) for key, value in named.items()}
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        return [like(one, other) for one, other in zip(found, expected)]
    if isinstance(found, float) and not math.isfinite(found):
        return "NaN" if math.isnan(found) else "Infinity" if found > 0 else "-Infinity"
    if isinstance(found, str) and isinstance(expected, float):
        return float(found)
    return found


def shown(value):
    """A text to compare by: NaN equals itself, 1 is not 1.0, the order of keys does not count, floats have 32 bits."""
    if not isinstance(value, dict):
        return f"[{', '.join(map(shown, value))}]" if isinstance(value, list) else repr(value)
    single = {key: struct.unpack("f", struct.pack("f", one))[0] for key, one in value.items() if key == "float" and isinstance(one, float)}
    return repr(sorted((key, shown(one)) for key, one in (value | single).items()))


CHECKS = {
    "protobuf": check_protobuf,
    "json": check_json,
    "json-spaced": check_json,
    "json-pretty": check_pretty,
    "ndjson": check_json,
    "yaml": check_yaml,
    "yaml-flow": check_yaml,
}
CHECKS |= {kind: lambda *rest, kind=kind: check_thrift(kind, *rest) for kind in official.THRIFT}


def main():
    read, failed = 0, 0
    for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        name, kind, framing, _ = path.name.split(".")
        both = CHECKS[kind](name, framing, path.read_bytes()) if kind in CHECKS else None
        if both is None:
            print(f"{path.name}: not checked")
            continue
        read += 1
        for at, (one, other) in enumerate(zip(*both)):
            if shown(one) != shown(other):
                failed += 1
                print(f"{path.name}, record {at}: {one!r} is not {other!r}")
                break
        else:
            if len(both[0]) != len(both[1]):
                failed += 1
                print(f"{path.name}: {len(both[0])} records, not {len(both[1])}")
    print(f"{read} files read, {failed} differ")
    sys.exit(1 if failed or not read else 0)


if __name__ == "__main__":
    main()
