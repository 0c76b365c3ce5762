import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './prepare.mjs'

/** Builds the pages into a folder; throws where they cannot be built. */
export async function buildPage(outDir) {
  const { build } = await import('vite')
  const { viteOptions } = await import('../web/vite-options.mjs')
  await build(viteOptions(outDir))
}

// As a program: node server/bin/build-page.mjs dist/web
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!existsSync(join(root, 'node_modules', 'vite')))
    throw new Error('Vite is not installed: run npm ci --include=dev.')
  await buildPage(resolve(process.argv[2] ?? join(root, 'dist', 'web')))
}
