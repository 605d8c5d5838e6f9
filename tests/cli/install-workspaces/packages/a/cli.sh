#!/bin/sh
echo the workspace tool runs
