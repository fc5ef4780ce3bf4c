"""Figures for a paper: plain data -> Altair chart -> SVG or PNG.

Charts are built and rendered in a process of their own (`rendering`): vl-convert hangs in a forked child whose parent
has rendered, and Altair takes a second to import. Nothing here knows Django or fetches anything.
"""
