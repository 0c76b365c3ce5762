import { build, install } from './prepare.mjs'
import { useSupportedNode } from './supported-node.mjs'

await useSupportedNode()
install()
process.exit(build() ? 0 : 1)
