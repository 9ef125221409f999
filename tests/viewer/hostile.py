"""hostile.py PROGRAM RESULT -- raw requests to `cairn view`: each must be refused or answered, none
may stop the server, and nothing but the fixed routes may be reached."""
import hashlib
import os
import signal
import socket
import subprocess
import sys
import time

program, result = sys.argv[1:3]
failures = 0


def bad(text):
    global failures
    failures += 1
    print("hostile: " + text)


def digest():
    with open(result, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


before = digest()
folder_before = sorted(os.listdir("."))
server = subprocess.Popen([program, "view", result, "--no-open"], stdout=subprocess.PIPE, text=True)
address = server.stdout.readline().strip()
place, token = address.split("/?token=")
port = int(place.rsplit(":", 1)[1])
if len(token) != 32 or set(token) - set("0123456789abcdef"):
    bad(f"{address}: no token")
HOST = f"127.0.0.1:{port}"


def talk(data, wait=10.0, half_close=False):
    """Sends bytes as they are; returns all that comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as s:
        got = b""
        try:
            s.sendall(data)
            if half_close:
                s.shutdown(socket.SHUT_WR)
            while chunk := s.recv(1 << 16):
                got += chunk
        except (ConnectionError, TimeoutError):
            pass
        return got


def with_token(path):
    return f"{path}{'&' if '?' in path else '?'}token={token}"


def get(path, host=HOST, more="", method="GET", version="HTTP/1.1", is_known=True):
    head = f"{method} {with_token(path) if is_known else path} {version}\r\n"
    if host is not None:
        head += f"Host: {host}\r\n"
    return talk((head + more + "Connection: close\r\n\r\n").encode("latin-1"))


def code(answer):
    parts = answer.split(b" ", 2)
    return int(parts[1]) if answer.startswith(b"HTTP/1.") and len(parts) > 1 else 0


def wants(what, answer, *codes):
    if code(answer) not in codes:
        bad(f"{what}: got {answer[:60]!r}, wanted {codes}")


# Only this machine can reach it.
with open("/proc/net/tcp") as table:
    listening = [line.split()[1] for line in table.readlines()[1:] if line.split()[3] == "0A"]
if [a for a in listening if a.endswith(f":{port:04X}")] != [f"0100007F:{port:04X}"]:
    bad("it does not listen on 127.0.0.1 alone")

wants("the page", get("/"), 200)
page = get("/")
for header in (b"nosniff", b"X-Frame-Options: SAMEORIGIN", b"Content-Encoding: gzip"):
    if header not in page:
        bad(f"the page lacks {header!r}")
if b"Access-Control" in page:
    bad("other pages may read this one")

# Without the token, or with another one, nothing is answered; neither what is there nor what is not.
for path in ("/", "/api/meta", "/api/shapes", "/api/frame/1", "/api/contacts/1", "/api/series/0", "/api/live", "/nothing"):
    wants(f"{path} without a token", get(path, is_known=False), 403)
    for wrong in ("", "0", token[:-1], token + "0", token.upper() + "x", token[::-1], "%00" + token, 32 * "0"):
        wants(f"{path} with token {wrong!r}", get(f"{path}?token={wrong}", is_known=False), 403)

# Names that are not this machine's, among them those of a rebinding attack.
for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "localhost", f"127.0.0.1:{port}.evil.example",
             f"127.0.0.1:{port}0", f"0.0.0.0:{port}", f"[::1]:{port}", "", " ", f"LOCALHOST:{port}@evil", None):
    wants(f"host {host!r}", get("/api/meta", host=host), 400, 403)
wants("HTTP/1.0 without a name", talk(b"GET / HTTP/1.0\r\n\r\n"), 403)
wants("localhost", get("/api/meta", host=f"localhost:{port}"), 200)
wants("two names", talk(f"GET /api/meta HTTP/1.1\r\nHost: evil.example\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()),
      400, 403)

for method in ("POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT", "get", "GETT"):
    wants(method, get("/api/meta", method=method), 400, 405)
wants("a body nobody wants", talk(f"POST {with_token('/')} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 1000000000\r\n\r\nxx".encode()), 405)
wants("a body with GET", talk(f"GET {with_token('/api/live')} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello".encode()), 200)

# Paths: nothing of the disk, no numbers that are not there.
for path in ("/etc/passwd", "/../../../../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/./", "/api", "/api/",
             "/api/frame", "/api/frame/", "/api/frame/-1", "/api/frame/+1", "/api/frame/1.0", "/api/frame/0x1",
             "/api/frame/ 1", "/api/frame/1/", "/api/frame/6", "/api/frame/999999999", "/api/frame/99999999999999999999",
             "/api/frame/1%00", "/api/series/100000", "/api/series/kinetic", "/api/metadata", "/API/META", "/index.html",
             "/" + result, "/%2e%2e/" + result, "/api/frame/\xff", "*", "/" + 2000 * "a"):
    wants(f"path {path[:40]!r}", get(path), 400, 404, 414)
wants("a question mark changes nothing", get("/api/live?file=/etc/passwd"), 200)
wants("an address within an address", talk(f"GET {with_token('http://evil.example/api/meta')} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()),
      400, 404)
secret = get("/../../../../../../etc/passwd") + get("/etc/passwd")
if b"root:" in secret:
    bad("a file of the disk was sent")

# Bytes that are no request.
for data in (b"\r\n" * 50, b"\0" * 500, b"GET\r\n\r\n", b"\xff\xfe" * 100, b"GET / HTTP/9.9\r\n\r\n",
             b"GET / HTTP/1.1\nHost: x\n\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100)):
    if code(talk(data, wait=5.0, half_close=True)) == 200:
        bad(f"{data[:20]!r} was answered")
answer = get("/", more="X: " + 200000 * "y" + "\r\n")
if code(answer) == 200:
    bad("a head of 200 kB was taken")
answer = get("/", more="".join(f"X-{k}: 1\r\n" for k in range(20000)))
if code(answer) == 200:
    bad("20000 headers were taken")

# Many at once, half of them never finish, some leave in the middle.
idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
for k, s in enumerate(idle):
    s.sendall(b"GET /api/meta HTT"[: 1 + k % 16])
for _ in range(20):
    s = socket.create_connection(("127.0.0.1", port))
    s.sendall(f"GET {with_token('/api/frame/1')} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
    s.close()
wants("beside idle ones", get("/api/live"), 200)
for s in idle:
    s.close()

# Crowds that say nothing, or half a request, keep nobody waiting: the oldest of them are let go.
for said in (b"", f"GET {with_token('/api/live')} HTTP/1.1\r\nHost: {HOST}\r\nX: ".encode(),
             f"GET /api/live HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()):
    crowd = []
    for _ in range(65):
        s = socket.create_connection(("127.0.0.1", port))
        s.sendall(said)
        crowd.append(s)
        start = time.monotonic()
        if len(crowd) in (33, 65):
            wants(f"beside {len(crowd)} idle ones", get("/api/live"), 200)
            if time.monotonic() - start > 2.0:
                bad(f"{time.monotonic() - start:.1f} s to be answered beside {len(crowd)} idle ones")
    for s in crowd:
        s.close()

# Several requests in one go are answered in order.
two = f"GET {with_token('/api/live')} HTTP/1.1\r\nHost: {HOST}\r\n\r\n" * 2
answer = talk((two + f"GET {with_token('/nothing')} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n").encode())
if answer.count(b"HTTP/1.1 200") != 2 or answer.count(b"HTTP/1.1 404") != 1:
    bad("three requests in a row were not answered")

# A frame that the browser has already is not sent again; another tag is.
tag = [line for line in get("/api/frame/1").split(b"\r\n") if line.startswith(b"ETag: ")]
if not tag:
    bad("frames have no tag")
else:
    known = f"If-None-Match: {tag[0][6:].decode()}\r\n"
    wants("a known frame", get("/api/frame/1", more=known), 304)
    wants("an unknown tag", get("/api/frame/1", more='If-None-Match: "x"\r\n'), 200)
    wants("a known frame for a stranger", get("/api/frame/1", host="evil.example", more=known), 403)

taken = subprocess.run([program, "view", result, "--no-open", "--port", str(port)], capture_output=True, text=True)
if taken.returncode != 4 or "in use" not in taken.stderr:
    bad(f"a port in use gave {taken.returncode}: {taken.stderr}")

if server.poll() is not None:
    bad(f"the server has ended with {server.returncode}")
server.send_signal(signal.SIGTERM)
try:
    if server.wait(timeout=10) != 0:
        bad(f"stopped on request, it ended with {server.returncode}")
except subprocess.TimeoutExpired:
    bad("it does not stop")
    server.kill()
if digest() != before or sorted(os.listdir(".")) != folder_before:
    bad("files were changed")
sys.exit(failures > 0)
