"""A loopback stand-in of model services over real HTTP: what the real SDKs are tested against."""
