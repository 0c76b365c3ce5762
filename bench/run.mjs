import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { dist, prepare } from '../server/bin/prepare.mjs'

await prepare()
await import(pathToFileURL(join(dist, 'bench', 'main.js')).href)
