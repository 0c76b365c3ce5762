import { budgets } from '../config/budgets.js'
import type { DiskSpace } from './storage.js'

/** Bytes that uploads may take of a disk, negative if it is fuller than that. The rest is for the database, the queues and the log. */
export const roomOn = ({ free, total }: DiskSpace): number => free - Math.min(total / 50, budgets.diskLeft.most)
