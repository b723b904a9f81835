/** Scripts in other languages are imported as their text; the bundler and the test runner both load them so. */
declare module "*.sh" {
  const text: string;
  export default text;
}
declare module "*.py" {
  const text: string;
  export default text;
}
declare module "*.worker.cjs" {
  const text: string;
  export default text;
}
