import { build, install } from './prepare.mjs'
import { useSupportedNode } from './supported-node.mjs'

await useSupportedNode()
await install()
process.exit((await build()) ? 0 : 1)
