"""The embedded message queue."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from kombu import Connection

from config.celery import app


@pytest.fixture
def channel(tmp_path):
    for name in ("messages", "control"):
        (tmp_path / name).mkdir()
    options = {
        "data_folder_in": str(tmp_path / "messages"),
        "data_folder_out": str(tmp_path / "messages"),
        "control_folder": str(tmp_path / "control"),
    }
    with Connection("filesystem://", transport_options=options) as connection:
        yield connection.channel()


class Watched:
    """Counts the messages that a worker would find while this one is written."""

    def __init__(self, channel):
        self.channel = channel

    def __json__(self):
        return {"found": self.channel._size("short")}


def test_a_message_is_found_once_it_is_written(channel):
    channel._put("short", Watched(channel))
    assert channel._size("short") == 1
    assert channel._get("short") == {"found": 0}
    assert channel._size("short") == 0


def test_the_queues_of_an_exchange_are_read_while_they_are_written_for_the_first_time(channel):
    with ThreadPoolExecutor(2) as threads:
        for number in range(300):
            binding = threads.submit(channel._queue_bind, f"exchange{number}", "key", "", "short")
            tables = [channel.get_table(f"exchange{number}") for _ in range(20)]
            binding.result()
            assert all(table in ([], [("key", "", "short")]) for table in tables)


def test_the_application_uses_it():
    with app.connection_for_write(url="filesystem://") as connection:
        assert type(connection.channel()).__module__ == "config.broker"
