"""gunicorn's threaded worker, which gives a connection a thread only once its request is there.

gthread gives each new connection a thread at once, and the thread waits for the request: as many silent or slow clients
as there are threads keep everybody else out (bench/idle_connections.py). Here the worker's event loop, which waits for
all connections together, collects the header, and with it a body of at most MOST_BODY bytes. What comes in is parsed by
gunicorn alone. A larger body is read by a thread, while it comes. TLS is ended in front of this server.

A request that comes while the next one in the queue has waited for more than LONGEST_WAIT is answered at once by 503
with Retry-After: nothing of it was done, and whoever asks later finds a queue that is served in time.
"""

import re
import time
from collections import deque
from functools import partial
from selectors import EVENT_READ
from socket import socket
from weakref import WeakKeyDictionary

from gunicorn.workers.gthread import TConn, ThreadWorker

MOST_HEADER = 64 * 1024
MOST_BODY = 64 * 1024
# From the first byte of a connection, or of its next request, to the last that is waited for.
REQUEST_SECONDS = 20.0
# Seconds that a request may wait for a thread.
LONGEST_WAIT = 3.0
RETRY_SECONDS = 5
PAGE = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The server is busy \xc2\xb7 Touchstone</title>
<h1>The server is busy</h1>
<p>It has more requests than it can answer in time. Nothing of this request was stored, and all that was saved before is
  kept. What you write in the workbench stays in this browser, and is saved once the server takes it again.</p>
<p>Wait some seconds, then load this page again.</p>
</html>
"""
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: %d\r\nContent-Type: text/html; charset=utf-8\r\n"
    b"Cache-Control: no-store\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b"
) % (RETRY_SECONDS, len(PAGE), PAGE)
# Asked by whoever watches the server: it lives, however long its queue is.
PROBES = (b"GET /healthz", b"GET /readyz")
LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,18})[ \t]*\r$", re.IGNORECASE | re.MULTILINE)


def is_there(received: bytes | bytearray) -> bool:
    """Whether a thread need not wait: the header is whole, and the body is, unless it is a large one."""
    end = received.find(b"\r\n\r\n")
    return end >= 0 and (length_of(received, end) > MOST_BODY or is_whole(received))


def is_whole(received: bytes | bytearray) -> bool:
    """Whether the header and all of the body have come."""
    end = received.find(b"\r\n\r\n")
    return end >= 0 and len(received) >= end + 4 + length_of(received, end)


def length_of(received: bytes | bytearray, end: int) -> int:
    """Bytes of the body, by the header that ends there."""
    length = LENGTH.search(received, 0, end + 2)
    return int(length[1]) if length else 0


class RequestWorker(ThreadWorker):  # type: ignore[misc]
    """The event loop runs all but `handle`, which a thread runs."""

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)
        self._received: WeakKeyDictionary[TConn, bytearray] = WeakKeyDictionary()
        # When each request came that no thread has taken yet, in their order.
        self._waiting: deque[float] = deque()

    def enqueue_req(self, conn: TConn) -> None:
        """For a new connection, one that is kept alive, and one whose next request came with the last."""
        self._received[conn] = bytearray(conn.parser.unreader.take_buffered() if conn.parser else b"")
        if is_there(self._received[conn]):
            self._give_a_thread(conn)
            return
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + REQUEST_SECONDS
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def on_pending_socket_readable(self, conn: TConn, client: socket) -> None:
        try:
            part = client.recv(MOST_HEADER)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            part = b""
        received = self._received[conn]
        received += part
        if part and not is_there(received) and len(received) <= MOST_HEADER + MOST_BODY:
            return
        self.poller.unregister(client)
        self.pending_conns.remove(conn)
        if part and is_there(received):
            self._give_a_thread(conn)
        else:  # it is gone, or sends a header without an end
            self._drop(conn)

    def _give_a_thread(self, conn: TConn) -> None:
        """A body that is still to come cannot be refused: its sender would read no answer."""
        received, now = self._received[conn], time.monotonic()
        if self._is_full(now) and is_whole(received) and not received.startswith(PROBES):
            self._refuse(conn)
            return
        self._waiting.append(now)
        super().enqueue_req(conn)

    def _is_full(self, now: float) -> bool:
        try:
            return now - self._waiting[0] > LONGEST_WAIT
        except IndexError:  # nobody waits; a thread may have taken the last one just now
            return False

    def _refuse(self, conn: TConn) -> None:
        """The answer is small enough for the buffer of a connection whose client has read what came before."""
        try:
            conn.sock.setblocking(False)
            conn.sock.send(BUSY)
        except OSError:  # it is gone, or reads nothing
            pass
        self._drop(conn)

    def _drop(self, conn: TConn) -> None:
        self.nr_conns -= 1
        conn.close()

    def handle(self, conn: TConn) -> object:
        self._waiting.popleft()
        conn.data_ready = True
        conn.sock.setblocking(True)
        conn.init()
        conn.parser.unreader.unread(bytes(self._received.pop(conn)))
        return super().handle(conn)
