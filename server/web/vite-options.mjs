import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import solid from 'vite-plugin-solid'
import { compressed } from './build/compressed.mjs'
import { emojiGroups } from './build/emoji-groups.mjs'
import { trustedTemplates } from './build/trusted-templates.mjs'

const folder = dirname(fileURLToPath(import.meta.url))

/**
 * How the pages are built: each folder here that has an index.html is a page of its own (`status/index.html` is served at
 * `/status`), and what they share comes in files of its own. Given to Vite's `build`.
 */
export function viteOptions(outDir) {
  return {
    configFile: false,
    root: folder,
    base: '/',
    publicDir: join(folder, 'public'),
    logLevel: 'warn',
    plugins: [solid(), trustedTemplates(), emojiGroups(), compressed()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // What is not inlined has a name with a hash; what is inlined the policy would not let in.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rollupOptions: { input: pages(), checks: { pluginTimings: false, bundlerTimings: false } },
    },
  }
}

function pages() {
  const below = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const found = below.map(({ name }) => join(folder, name, 'index.html')).filter(existsSync)
  return [join(folder, 'index.html'), ...found]
}
