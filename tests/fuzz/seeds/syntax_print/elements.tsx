Lconst a = <div className="x&amp;y" {...p} data-x={1} b>hello {name}
  <Foo.Bar key="k"/> text  {/* c */}
  &nbsp; <></>
</div>;
const b = <T,>(x: T) => <A<T> {...x} key={1}/>;
