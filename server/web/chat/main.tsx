import { render } from 'solid-js/web'
import { keptLanguages, openLanguage } from '../language/page-language.js'
import { readSession } from '../sign-in/session.js'
import '../look/look.css'
import './chat.css'
import { App } from './app.js'

const place = document.getElementById('app')
if (!place) throw new Error('index.html has no place for the page')
// Without an account the browser's languages count.
void openLanguage(readSession() ? keptLanguages() : navigator.languages).then(() => render(() => <App />, place))
