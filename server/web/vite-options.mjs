import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import solid from 'vite-plugin-solid'
import { compressed } from './build/compressed.mjs'
import { droppableSchemas } from './build/droppable-schemas.mjs'
import { emojiGroups } from './build/emoji-groups.mjs'
import { modernFonts } from './build/modern-fonts.mjs'
import { serviceWorker } from './build/service-worker.mjs'
import { trustedTemplates } from './build/trusted-templates.mjs'

const folder = dirname(fileURLToPath(import.meta.url))

/**
 * Options for Vite's `build`: each folder with an index.html is a page (`status/index.html` is served at `/status`),
 * and shared code goes into separate files.
 */
export function viteOptions(outDir) {
  return {
    configFile: false,
    root: folder,
    base: '/',
    publicDir: join(folder, 'public'),
    logLevel: 'warn',
    plugins: [
      solid(),
      droppableSchemas(),
      trustedTemplates(),
      emojiGroups(),
      modernFonts(),
      serviceWorker(),
      compressed(),
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // Files that are not inlined have a hash in their names; the Content-Security-Policy forbids inlined ones.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rollupOptions: {
        input: { ...pages(), 'service-worker': join(folder, 'service-worker', 'service-worker.ts') },
        // Its path is its scope: it serves the whole site.
        output: {
          entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
          codeSplitting: { groups: firstLoad },
        },
        checks: { pluginTimings: false, bundlerTimings: false },
      },
    },
  }
}

// What a page loads at first is one file, and one that the pages share. Otherwise each module that a later part needs, too, would be a file of
// its own: twenty requests more, and less to compress.
const firstLoad = [
  {
    name: 'page',
    tags: ['$initial'],
    test: /web\/(?:look|language|sign-in)\/|node_modules\/(?:solid-js|@solid-primitives)\//,
    priority: 1,
  },
  { name: 'chat', tags: ['$initial'], test: /web\/(?:chat|state)\// },
]

function pages() {
  const below = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const found = below.map(({ name }) => [name, join(folder, name, 'index.html')]).filter(([, file]) => existsSync(file))
  return { index: join(folder, 'index.html'), ...Object.fromEntries(found) }
}
