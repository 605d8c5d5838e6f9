export { nothing };
