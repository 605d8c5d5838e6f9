export const View = (props: { a: string }) => <><b key="k" {...props}>{props.a}</b></>;
