import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const name = 'service-worker'
// What the chat page needs to start; fonts of formulas and pictures of emoji are fetched when they are shown.
const kept = ['favicon.svg', 'manifest.webmanifest', 'icons/icon-192.png']

/**
 * Writes the list of the page's files, and a hash of their contents as the version, into the service worker. Because the
 * worker's own text then changes with each build of the page, browsers install it again.
 */
export function serviceWorker() {
  return {
    name: 'service-worker-files',
    writeBundle({ dir }, bundle) {
      const assets = readdirSync(join(dir, 'assets')).filter(file => /\.(?:js|css)$/.test(file))
      const files = [
        'index.html',
        ...assets.filter(file => !belongsToOtherPage(bundle[`assets/${file}`])).map(file => `assets/${file}`),
        ...kept.filter(file => existsSync(join(dir, file))),
      ]
      const hash = createHash('sha256')
      for (const file of files) hash.update(file).update(readFileSync(join(dir, file)))
      const paths = files.map(file => (file === 'index.html' ? '/' : `/${file}`))
      const path = join(dir, `${name}.js`)
      const text = readFileSync(path, 'utf8')
        .replaceAll('__VERSION__', JSON.stringify(hash.digest('hex').slice(0, 16)))
        .replaceAll('__FILES__', JSON.stringify(paths))
      if (/\bimport\b|\bexport\b|__\w+__/.test(text)) throw new Error('the service worker must be one plain script')
      writeFileSync(path, text)
    },
  }
}

const belongsToOtherPage = chunk => chunk?.type === 'chunk' && chunk.isEntry && chunk.name !== 'index'
