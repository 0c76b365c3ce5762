/** Every supported browser reads WOFF2, so the other formats of KaTeX's fonts are not part of the build. */
export function modernFonts() {
  return {
    name: 'modern-fonts',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/katex\/dist\/[^/]*\.css$/.test(id)) return null
      return { code: code.replace(/,\s*url\([^)]*\.(?:woff|ttf)\) format\("[^"]*"\)/g, ''), map: null }
    },
  }
}
