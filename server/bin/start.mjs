import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { dist, prepare } from './prepare.mjs'

prepare()
// In this process, not in a child: signals then reach the server without a go-between.
await import(pathToFileURL(join(dist, 'server', 'main.js')).href)
