const written = 't.innerHTML = html;'
const trusted = 't.innerHTML = templates ? templates.createHTML(html) : html;'
const policy = "const templates = globalThis.trustedTypes?.createPolicy('templates', { createHTML: html => html });\n"

/**
 * Solid makes elements from templates that the compiler wrote. Where the browser takes trusted HTML only (the header
 * `require-trusted-types-for`), these get a policy of their own, which no other code can reach: everything else that is
 * assigned to innerHTML is refused.
 */
export function trustedTemplates() {
  return {
    name: 'trusted-templates',
    transform(code, id) {
      if (!/solid-js\/web\/dist\/web\.js/.test(id)) return null
      // Another version may write it in another way: then the page would not start, and nobody knew why.
      if (code.split(written).length !== 2) throw new Error(`solid-js no longer has: ${written}`)
      return { code: policy + code.replace(written, trusted), map: null }
    },
  }
}
