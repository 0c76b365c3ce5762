const written = 't.innerHTML = html;'
const trusted = 't.innerHTML = templates ? templates.createHTML(html) : html;'
const policy = "const templates = globalThis.trustedTypes?.createPolicy('templates', { createHTML: html => html });\n"

/**
 * Solid creates elements from templates that its compiler wrote. With the header `require-trusted-types-for` the
 * browser accepts only trusted HTML: this plugin gives the templates a policy that no other code can use, so that the
 * browser refuses all other assignments to innerHTML.
 */
export function trustedTemplates() {
  return {
    name: 'trusted-templates',
    transform(code, id) {
      if (!/solid-js\/web\/dist\/web\.js/.test(id)) return null
      // Another version of Solid may contain other code; without this error the page would fail to start in the
      // browser.
      if (code.split(written).length !== 2) throw new Error(`solid-js no longer has: ${written}`)
      return { code: policy + code.replace(written, trusted), map: null }
    },
  }
}
