"""gunicorn's threaded worker, which gives a connection a thread only once its request is there.

gthread gives each new connection a thread at once, and the thread waits for the request: as many silent or slow clients
as there are threads keep everybody else out (bench/idle_connections.py). Here the worker's event loop, which waits for
all connections together, collects the header, and with it a body of at most MOST_BODY bytes. What comes in is parsed by
gunicorn alone. A larger body is read by a thread, while it comes. TLS is ended in front of this server.
"""

import re
import time
from functools import partial
from selectors import EVENT_READ
from socket import socket
from weakref import WeakKeyDictionary

from gunicorn.workers.gthread import TConn, ThreadWorker

MOST_HEADER = 64 * 1024
MOST_BODY = 64 * 1024
# From the first byte of a connection, or of its next request, to the last that is waited for.
REQUEST_SECONDS = 20.0
LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,18})[ \t]*\r$", re.IGNORECASE | re.MULTILINE)


def is_there(received: bytes | bytearray) -> bool:
    """Whether a thread need not wait: the header is whole, and the body is, unless it is a large one."""
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return False
    length = LENGTH.search(received, 0, end + 2)
    body = int(length[1]) if length else 0
    return body > MOST_BODY or len(received) >= end + 4 + body


class RequestWorker(ThreadWorker):  # type: ignore[misc]
    """The event loop runs `enqueue_req` and `on_pending_socket_readable`, a thread `handle`."""

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)
        self._received: WeakKeyDictionary[TConn, bytearray] = WeakKeyDictionary()

    def enqueue_req(self, conn: TConn) -> None:
        """For a new connection, one that is kept alive, and one whose next request came with the last."""
        self._received[conn] = bytearray(conn.parser.unreader.take_buffered() if conn.parser else b"")
        if is_there(self._received[conn]):
            super().enqueue_req(conn)
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
            super().enqueue_req(conn)
        else:  # it is gone, or sends a header without an end
            self.nr_conns -= 1
            conn.close()

    def handle(self, conn: TConn) -> object:
        conn.data_ready = True
        conn.sock.setblocking(True)
        conn.init()
        conn.parser.unreader.unread(bytes(self._received.pop(conn)))
        return super().handle(conn)
