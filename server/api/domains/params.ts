import { boolean, text } from '../../params/schemas.js'

export const allowSubdomains = () => boolean().describe('Whether addresses of its subdomains are allowed, too.')

export const listedDomain = () => text().describe('The domain as it is listed, in lower case.')
