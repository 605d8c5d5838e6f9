const escape = "echo x > ../../escaped; mkdir ../../made; bash -c 'exec 3<>/dev/tcp/127.0.0.1/1'";
export default ({ publish }) => {
  publish({ name: "escapes", version: "1.0.0", hasInstallScript: true,
    scripts: { postinstall: `(${escape}) 2> errors; [ -d "$TMPDIR" ] && echo x > "$TMPDIR/x"` } });
};
