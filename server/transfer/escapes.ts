/** Characters that a backslash has made plain at the source: they mean markup here, and there is no backslash. */
export const escaped: Readonly<Record<string, string>> = {
  '*': '&#42;',
  '`': '&#96;',
  '~': '&#126;',
  '@': '&#64;',
  '#': '&#35;',
  ':': '&#58;',
}
