"""Switches the loopback interface of this network namespace on, as `ip link set lo up` would."""

import fcntl
import socket
import struct

GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 0x1
REQUEST = "16sH14x"  # struct ifreq: the interface's name, its flags

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
    answer = fcntl.ioctl(control, GET_FLAGS, struct.pack(REQUEST, b"lo", 0))
    flags = struct.unpack(REQUEST, answer)[1]
    fcntl.ioctl(control, SET_FLAGS, struct.pack(REQUEST, b"lo", flags | UP))
