import t from 'tap'
import { testActions } from '../support/actions/action.js'
import { wide } from '../support/actions/wide.js'
import { needsBrowser } from '../support/browser.js'
import { keyboard } from '../support/hands.js'

t.test('beside the list: every action by the keyboard alone', needsBrowser, t => testActions(t, keyboard, wide))
