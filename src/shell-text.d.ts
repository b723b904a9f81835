/** Shell scripts are imported as their text; the bundler and the test runner both load them so. */
declare module "*.sh" {
  const text: string;
  export default text;
}
