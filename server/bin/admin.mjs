import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { dist, prepare } from './prepare.mjs'

await prepare()
await import(pathToFileURL(join(dist, 'server', 'admin', 'main.js')).href)
