# What `python3 -c` runs first: takes the worker's modules from descriptor 3, so that nothing has to lie on a disk.
# Older Pythons must be able to read this file.
import os
import struct
import sys

MODULES = ("sortie_library", "sortie_frames", "sortie_faults", "sortie_streams", "sortie_find", "sortie_handler")
MODULES += ("sortie_worker",)


def refuse_old_python():
    text = "it is Python %s, and a handler needs 3.9 or newer" % sys.version.split()[0]
    payload = ('{"kind": "old", "message": "%s", "trace": ""}' % text).encode()
    os.write(4, struct.pack(">IBH", 3 + len(payload), 20, 0) + payload)
    os._exit(1)


def take_bytes(size):
    parts = []
    while size > 0:
        parts.append(os.read(3, size))
        if not parts[-1]:
            os._exit(1)  # the agent is gone
        size -= len(parts[-1])
    return b"".join(parts)


def load_module(name):
    (size,) = struct.unpack(">I", take_bytes(4))
    module = sys.modules[name] = type(sys)(name)
    exec(compile(take_bytes(size), "<%s>" % name, "exec"), module.__dict__)
    return module


if sys.version_info < (3, 9):
    refuse_old_python()
if sys.path[:1] == [""]:
    del sys.path[0]  # the handler's folder comes first, and that only after the worker's own imports

search_path = load_module(MODULES[0]).search_library_alone()
for name in MODULES[1:]:
    load_module(name)
sys.path[:] = search_path

sys.modules["sortie_worker"].main(*sys.argv[1:5])
