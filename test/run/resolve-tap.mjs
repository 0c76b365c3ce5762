// Hooks of Node's module loader, in its own thread.
const ofFile = new URL('tap-of-file.mjs', import.meta.url).href
const noDomain = new URL('no-domain.mjs', import.meta.url).href

export function resolve(specifier, context, next) {
  if (specifier === 'tap' && context.parentURL !== ofFile) return { url: ofFile, shortCircuit: true }
  if (specifier === 'async-hook-domain') return { url: noDomain, shortCircuit: true }
  return next(specifier, context)
}
