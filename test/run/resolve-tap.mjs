import { registerHooks } from 'node:module'

const ofFile = new URL('tap-of-file.mjs', import.meta.url).href
const noDomain = new URL('no-domain.mjs', import.meta.url).href

/**
 * From now on, `import t from 'tap'` in this process gives the test of the present file. The hooks run in this thread: with
 * those of `register`, which have a thread of their own, each process takes a second more of CPU to load the server.
 */
export function replaceTap() {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'tap' && context.parentURL !== ofFile) return { url: ofFile, shortCircuit: true }
      if (specifier === 'async-hook-domain') return { url: noDomain, shortCircuit: true }
      return next(specifier, context)
    },
  })
}
