import { pathToFileURL } from 'node:url'
import { prepare, program } from './prepare.mjs'

await prepare()
// In this process, not in a child: signals then reach the server without a go-between.
await import(pathToFileURL(program).href)
