"""The web server. It uses the engine's interface and imports no game.

`protocol` messages and bodies; `storage` the one writer and the logs; `net` connections, sockets, rate limits; `match`
one match and the registry of all; `workers` the processes of computer players; `review` replays and analyses; `ratings`
ratings of persons; `http` routes and page; `trials` commands that measure and attack a server.
"""
