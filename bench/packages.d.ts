// What the bench uses of a package that is installed with it alone, so that the type check needs none of it.
declare module '@observablehq/plot' {
  type Mark = { readonly mark: unique symbol };
  type Options = Record<string, string | number>;
  export function plot(options: { document: object; marks: Mark[]; [option: string]: unknown }): Element;
  export function barX(data: object[], options: Options): Mark;
  export function text(data: object[], options: Options): Mark;
  export function ruleX(data: number[], options: Options): Mark;
}
