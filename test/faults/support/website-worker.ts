import { startApp } from '../../../server/app.js'
import { readConfig } from '../../../server/config.js'
import { createLog } from '../../../server/log.js'
import { toOtherHosts } from '../../support/external.js'

// A worker in a process of its own that reads websites of the test, which the program refuses: they are on this machine.
const config = readConfig(process.env)
const app = await startApp(config, createLog(config.logLevel, 'worker'), {}, toOtherHosts())
process.on('disconnect', () => process.exit(0))
process.send?.({ port: app.port })
