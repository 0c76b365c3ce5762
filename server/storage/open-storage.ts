import { join } from 'node:path'
import type { Config } from '../config.js'
import { LocalStorage } from './local-storage.js'
import type { Storage } from './storage.js'

/** The store of files that the settings name. */
export const openStorage = ({ dataDir }: Pick<Config, 'dataDir'>): Storage => new LocalStorage(join(dataDir, 'files'))
