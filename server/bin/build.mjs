import { build, checkNode, install } from './prepare.mjs'

checkNode()
install()
process.exit(build() ? 0 : 1)
