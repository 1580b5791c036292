#!/usr/bin/env python3
"""Checks every kind of request that qualm makes against the published description of the API.

usage: openapi.py QUALM OPENAPI.json WORKDIR; prints "ok NAME", "not ok NAME: why". A server of its own
takes the requests down and answers; its answers are checked, too, so that what qualm understands is
what the API says.
"""
import copy
import json
import os
import struct
import subprocess
import sys
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from schema import Schemas

qualm, spec, work = sys.argv[1:4]
with open(spec, encoding="utf-8") as f:
    schemas = Schemas(json.load(f))
CHAT, EMBED = schemas.named("CreateChatCompletionRequest"), schemas.named("CreateEmbeddingRequest")
KEY = "sk-of-this-test"
failed = False
taken = []  # (path, body) of every request, in order
given = []  # (schema, answer)


def say(name, wrong):
    global failed
    failed |= bool(wrong)
    print(f"not ok {name}: {'; '.join(wrong)[:400]}" if wrong else f"ok {name}")


# --- a server ---

def chat_answer(body):
    return {"id": "c-1", "object": "chat.completion", "created": 1, "model": body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None,
                         "message": {"role": "assistant", "content": "joy", "refusal": None}}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10}}


def chunks(body):
    head = {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
    for delta, finish in (({"role": "assistant", "content": ""}, None), ({"content": "joy"}, None), ({}, "stop")):
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    if body.get("stream_options", {}).get("include_usage"):
        yield {**head, "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10}}


def vectors(body):
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    data = [{"object": "embedding", "index": i, "embedding": [1.0, float(len(t)), float(i)]}
            for i, t in enumerate(texts)]
    return {"object": "list", "model": body["model"], "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


MODELS = {"object": "list", "data": [{"id": "m", "object": "model", "created": 1, "owned_by": "tests"}]}


class Server(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, data, kind="application/json"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def give(self, name, value):
        given.append((name, value))
        return json.dumps(value).encode()

    def do_GET(self):
        self.answer(self.give("ListModelsResponse", MODELS))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        taken.append((self.path, body))
        if self.path.endswith("/embeddings"):
            self.answer(self.give("CreateEmbeddingResponse", vectors(body)))
        elif body.get("stream"):
            lines = [b"data: " + self.give("CreateChatCompletionStreamResponse", c) for c in chunks(body)]
            self.answer(b"\n\n".join(lines + [b"data: [DONE]", b""]), "text/event-stream")
        else:
            self.answer(self.give("CreateChatCompletionResponse", chat_answer(body)))


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()


# --- a project, and endpoints that lead to the server ---

def path(name):
    return os.path.join(work, name)


def png(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes((x * 7 + y) % 256 for x in range(width * 3)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write(name, data):
    with open(path(name), "wb") as out:
        out.write(data if isinstance(data, bytes) else data.encode())


def run(*args):
    environ = {**os.environ, "OPENAPI_TEST_KEY": KEY, "HOME": work, "NO_PROXY": "127.0.0.1"}
    return subprocess.run([qualm, *args], capture_output=True, text=True, env=environ, check=False)


ENDPOINTS = {
    "plain": "",
    "small": "image_max_side = 16\n",
    "long": "max_tokens_field = max_completion_tokens\n",
    "omit": "temperature = omit\n",
    "warm": "temperature = 1.5\n",
    "extra": 'extra_body = {"logprobs": true, "top_logprobs": 5, "max_tokens": 64, "seed": 7}\n',
    "bare": 'extra_body = {"stream_options": null, "temperature": null}\n',
}
write("a.png", png(48, 32))
write("b.png", png(20, 20))
write("config", "".join(
    f"[endpoint {name}]\nbase_url = http://127.0.0.1:{server.server_port}/v1\nmodel = m\n"
    f"key_env = OPENAPI_TEST_KEY\nretries = 0\n{more}" for name, more in ENDPOINTS.items()))
write("items.jsonl", "".join(json.dumps({
    "id": f"s{i}", "image": "ab"[i % 2] + ".png", "label": "joy", "options": ["joy", "anger", "fear"],
    "label_set": ["joy", "anger", "fear"], "question": "what? \u00e9\u3042 \"quoted\"", "statement": "She is happy."})
    + "\n" for i in range(6)))
write("answers.jsonl", "".join(f'{{"id":"s{i}","prediction":"a kind of {w}"}}\n' for i, w in enumerate(("rage", "bliss"))))
project = path("p.qualm")
setup = [run("import", project, path("items.jsonl"), "--images", work, "--dataset", "d"),
         run("import", project, path("answers.jsonl"), "--dataset", "d", "--model", "words", "--protocol", "cw")]
if any(r.returncode for r in setup):
    say("project", [r.stderr for r in setup])
    sys.exit(1)
common = [project, "--config", path("config")]


# --- checks ---

def elided(body):
    """As a dry run shows it: without the pictures' bytes."""
    body = copy.deepcopy(body)
    for message in body["messages"]:
        for part in message["content"] if isinstance(message["content"], list) else []:
            if part["type"] == "image_url":
                head, data = part["image_url"]["url"].split(",", 1)
                part["image_url"]["url"] = f"{head},[{len(data) // 4 * 3 - data[-2:].count('=')} bytes]"
    return body


def parts(body, kind):
    content = [m["content"] for m in body["messages"]]
    return [p for c in content if isinstance(c, list) for p in c if p["type"] == kind]


def ask(name, endpoint, protocol, *more, expect=None):
    """A dry run, then the same in earnest: both are checked, and are the same."""
    args = [*common, "--endpoint", endpoint, "--protocol", protocol, *more]
    dry = run("query", *args, "--dry-run")
    if dry.returncode:
        say(name, [dry.stderr.strip()])
        return
    shown = json.loads(dry.stdout.split("\n\n", 1)[1])
    wrong = [KEY + " is shown"] if KEY in dry.stdout + dry.stderr else []
    before = len(taken)
    sent = run("query", *args)
    bodies = [body for where, body in taken[before:] if where == "/v1/chat/completions"]
    if sent.returncode or not bodies:
        wrong.append(sent.stderr.strip() or "nothing was sent")
    for body in [shown, *bodies]:
        wrong += schemas.check(body, CHAT)
    if shown not in map(elided, bodies):
        wrong.append("what was shown is not what was sent")
    for body in bodies if expect else []:
        wrong += [] if expect(body) else [f"not as expected: {json.dumps(elided(body))}"]
    say(name, wrong)


one = ["--at", "s0"]
for protocol in "ow cw cw+ mc esj memo mme mme-multi mme-sentiment mme-intent all-labels".split():
    ask(f"openapi_{protocol}", "plain", protocol, *one, expect=lambda b: len(parts(b, "image_url")) == 1)
ask("openapi_several", "small", "cw", "--filter", "id~s", "--limit", "6", "--form", "json", "--batch", "3",
    expect=lambda b: len(parts(b, "image_url")) == 3)
ask("openapi_json", "plain", "cw", *one, "--form", "json")
ask("openapi_ids", "plain", "cw", *one, "--ids")
ask("openapi_crop", "plain", "ow", *one, "--crop", "0.25,0.25,0.5,0.5")
ask("openapi_random", "plain", "mc", *one, "--options", "random", "--seed", "3")
ask("openapi_omit", "omit", "ow", *one, expect=lambda b: "temperature" not in b)
ask("openapi_warm", "warm", "ow", *one, expect=lambda b: b["temperature"] == 1.5)
ask("openapi_extra", "extra", "ow", *one, expect=lambda b: b["top_logprobs"] == 5 and b["seed"] == 7)
ask("openapi_taken_away", "bare", "ow", *one, expect=lambda b: b["stream"] and not {"stream_options", "temperature"} & set(b))

for name in ("plain", "long"):
    before = len(taken)
    out = run("doctor", "--config", path("config"), "--endpoint", name)
    wrong = [w for _, body in taken[before:] for w in schemas.check(body, CHAT)]
    say(f"openapi_doctor_{name}", wrong + ([] if len(taken) > before else ["nothing was sent: " + out.stdout]))
limits = [body for _, body in taken if "max_completion_tokens" in body]
say("openapi_max_tokens_field", [] if limits and "max_tokens" not in limits[-1] else ["the field is not sent"])

run("batch", "export", *common, "--endpoint", "plain", "--protocol", "ow", "--again", "-o", path("batch.jsonl"))
with open(path("batch.jsonl"), encoding="utf-8") as f:
    lines = [json.loads(line) for line in f]
wrong = [] if len(lines) == 6 and len({x["custom_id"] for x in lines}) == 6 else [f"{len(lines)} lines"]
for line in lines:
    if set(line) != {"custom_id", "method", "url", "body"} or line["method"] != "POST":
        wrong.append(f"the line has {sorted(line)}")
    if line["url"] not in schemas.description["paths"] and line["url"].removeprefix("/v1") not in schemas.description["paths"]:
        wrong.append(f"{line['url']} is no address of the API")
    if line["body"].get("stream"):
        wrong.append("a batch cannot be streamed")
    wrong += schemas.check(line["body"], CHAT)
say("openapi_batch", wrong)

results = [{"id": f"r{i}", "custom_id": line["custom_id"], "error": None, "response": {
    "status_code": 200, "request_id": "q", "body": chat_answer(line["body"])}} for i, line in enumerate(lines)]
given += [("CreateChatCompletionResponse", r["response"]["body"]) for r in results]
write("results.jsonl", "".join(json.dumps(r) + "\n" for r in reversed(results)))
back = run("batch", "import", project, path("results.jsonl"))
rows = run("sql", project, "SELECT run, count(*) FROM prediction WHERE class = 'joy' GROUP BY run ORDER BY 2 DESC", "--format", "csv")
say("openapi_batch_back", [] if rows.stdout.count(",6") == 1 else [back.stderr, rows.stdout, rows.stderr])

before = len(taken)
mapped = run("map", *common, "--run", "words/cw", "--encoder", "plain")
embeddings = [body for where, body in taken[before:] if where == "/v1/embeddings"]
wrong = [w for body in embeddings for w in schemas.check(body, EMBED)]
say("openapi_embeddings", wrong + ([] if embeddings and not mapped.returncode else [mapped.stderr or "none was sent"]))

say("openapi_answers", [w for name, value in given for w in schemas.check(value, schemas.named(name), name)])
kinds = {name for name, _ in given}
say("openapi_answers_of_every_kind", [] if len(kinds) == 4 else sorted(kinds))


# --- the checker can say no ---

def broken():
    def change(words, what):
        body = copy.deepcopy(taken[0][1])
        what(body)
        return words, body
    part = lambda b: parts(b, "image_url")[0]
    yield change("messages is missing", lambda b: b.pop("messages"))
    yield change("model is missing", lambda b: b.pop("model"))
    yield change("a list of 0", lambda b: b.update(messages=[]))
    yield change("alternatives fit", lambda b: b["messages"][0].update(role="usr"))
    yield change("alternatives fit", lambda b: b["messages"][0].pop("content"))
    yield change("alternatives fit", lambda b: part(b).update(image_url="data:image/png;base64,AA=="))
    yield change("alternatives fit", lambda b: part(b)["image_url"].pop("url"))
    yield change("alternatives fit", lambda b: part(b)["image_url"].update(url=7))
    yield change("alternatives fit", lambda b: part(b)["image_url"].update(detail="huge"))
    yield change("alternatives fit", lambda b: parts(b, "text")[0].update(typ="text"))
    yield change("out of range", lambda b: b.update(temperature=3))
    yield change("str, not boolean", lambda b: b.update(stream="yes"))
    yield change("nothing is known of temprature", lambda b: b.update(temprature=0))
    yield change("nothing is known of include_use", lambda b: b["stream_options"].update(include_use=True))
    yield change("not integer", lambda b: b.update(max_tokens="64"))
    yield change("out of range", lambda b: b.update(top_logprobs=500))


wrong = []
for words, body in broken():
    found = schemas.check(body, CHAT)
    if not any(words in w for w in found):
        wrong.append(f"{words}: {found}")
wrong += [] if schemas.check({"model": "m", "input": "x", "inputs": 1}, EMBED) else ["embeddings"]
wrong += [] if schemas.check({"model": "m", "input": []}, EMBED) else ["an empty list of texts"]
say("openapi_can_say_no", wrong)
sys.exit(failed)
