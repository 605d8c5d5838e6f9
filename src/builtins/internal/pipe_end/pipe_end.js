// internal/pipe_end -- ends of pipes and local sockets: of children, of IPC channels.
//
// open(fd, isIpc) -> pipe; readStart(pipe, fn(bytes | null, code, fds)): null is the end, or an
// error when code is not 0; readStop(pipe); readAll(pipe, fn(bytes | null, code)): all that comes,
// in one piece; write(pipe, string | bytes, fn(code), fd) -> 1 written, 0 fn comes later, else
// -errno; shutdown(pipe); close(pipe, fn); setRef(pipe, bool); fd(pipe).
return native;
