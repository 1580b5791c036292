"""A checker of JSON against the schemas of an OpenAPI description, as far as that one uses them.

check(value) returns sentences about what is wrong, none when all is well. Objects are closed: a
field that no schema knows is wrong, as a field of a misspelt name would do nothing.
"""

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "integer": int}


def is_type(value, name):
    if name == "null":
        return value is None
    if name in ("number", "integer") and isinstance(value, bool):
        return False
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES[name])


class Schemas:
    def __init__(self, description):
        self.description = description

    def named(self, name):
        return {"$ref": "#/components/schemas/" + name}

    def follow(self, ref):
        at = self.description
        for part in ref.removeprefix("#/").split("/"):
            at = at[part.replace("~1", "/").replace("~0", "~")]
        return at

    def flat(self, schema):
        """The schema without $ref and allOf: their fields are its own."""
        out = {k: v for k, v in schema.items() if k not in ("$ref", "allOf")}
        parts = ([self.follow(schema["$ref"])] if "$ref" in schema else []) + schema.get("allOf", [])
        for part in map(self.flat, parts):
            for key, value in part.items():
                if key == "properties":
                    out[key] = {**value, **out.get(key, {})}
                elif key == "required":
                    out[key] = sorted(set(value) | set(out.get(key, [])))
                else:
                    out.setdefault(key, value)
        return out

    def check(self, value, schema, at="body"):
        s = self.flat(schema)
        if value is None and s.get("nullable"):
            return []
        wrong = self.check_choice(value, s, at)
        wrong += self.check_value(value, s, at)
        if isinstance(value, dict) and ("properties" in s or "required" in s):
            wrong += self.check_object(value, s, at)
        if isinstance(value, list):
            wrong += self.check_list(value, s, at)
        return wrong

    def check_choice(self, value, s, at):
        for word in ("anyOf", "oneOf"):
            if word not in s:
                continue
            tried = [self.check(value, {**part, "nullable": False} if "$ref" not in part else part, at)
                     for part in s[word]]
            fits = sum(not t for t in tried)
            if fits == 0 or (word == "oneOf" and fits > 1):
                nearest = min(tried, key=len)
                return [f"{at}: {fits} of {len(tried)} alternatives fit; the nearest: {'; '.join(nearest)}"]
        return []

    def check_value(self, value, s, at):
        wrong = []
        types = s.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(is_type(value, t) for t in types):
            return [f"{at}: {type(value).__name__}, not {' or '.join(types)}"]
        if "enum" in s and value not in s["enum"]:
            wrong.append(f"{at}: {value!r} is none of {s['enum']}")
        if "const" in s and value != s["const"]:
            wrong.append(f"{at}: {value!r} is not {s['const']!r}")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if value < s.get("minimum", value) or value > s.get("maximum", value):
                wrong.append(f"{at}: {value} is out of range")
        if isinstance(value, str):
            if not s.get("minLength", 0) <= len(value) <= s.get("maxLength", len(value)):
                wrong.append(f"{at}: a text of {len(value)} characters")
            if s.get("format") == "uri" and ":" not in value:
                wrong.append(f"{at}: {value!r} is no address")
        return wrong

    def check_object(self, value, s, at):
        known, more = s.get("properties", {}), s.get("additionalProperties", False)
        wrong = [f"{at}: {name} is missing" for name in s.get("required", []) if name not in value]
        for name, field in value.items():
            if name in known:
                wrong += self.check(field, known[name], f"{at}.{name}")
            elif isinstance(more, dict):
                wrong += self.check(field, more, f"{at}.{name}")
            elif not more:
                wrong.append(f"{at}: nothing is known of {name}")
        return wrong

    def check_list(self, value, s, at):
        wrong = []
        if not s.get("minItems", 0) <= len(value) <= s.get("maxItems", len(value)):
            wrong.append(f"{at}: a list of {len(value)}")
        for i, item in enumerate(value if "items" in s else []):
            wrong += self.check(item, s["items"], f"{at}[{i}]")
        return wrong
