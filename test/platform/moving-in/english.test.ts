import t from 'tap'
import { moveIn } from './move-in.js'

moveIn(t, 'en')
