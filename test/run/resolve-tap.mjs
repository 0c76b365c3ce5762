// Hooks of Node's module loader, in its own thread.
const ofFile = new URL('tap-of-file.mjs', import.meta.url).href

export function resolve(specifier, context, next) {
  if (specifier === 'tap' && context.parentURL !== ofFile) return { url: ofFile, shortCircuit: true }
  return next(specifier, context)
}
