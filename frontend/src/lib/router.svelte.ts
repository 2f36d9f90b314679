// The page that is open. The server serves the same paths, so reloading works.

export type Route =
  | { page: 'lobby' }
  | { page: 'new' }
  | { page: 'me' }
  | { page: 'drill' }
  | { page: 'table'; id: string; invitation: string | null }
  | { page: 'proof'; id: string; roll: number; invitation: string | null }

export function parseRoute(address: string): Route {
  const url = new URL(address, 'http://page')
  const [first, id, roll] = url.pathname.split('/').filter(Boolean)
  const invitation = url.searchParams.get('invitation')
  if (first === 'table' && id) return { page: 'table', id, invitation }
  if (first === 'proof' && id && roll) return { page: 'proof', id, roll: Number(roll), invitation }
  if (first === 'drill' || first === 'new' || first === 'me') return { page: first }
  return { page: 'lobby' }
}

class Router {
  route = $state<Route>({ page: 'lobby' })

  start(): void {
    this.route = parseRoute(location.href)
    addEventListener('popstate', () => (this.route = parseRoute(location.href)))
    addEventListener('click', (event) => {
      const link = (event.target as Element | null)?.closest?.('a[href^="/"]')
      if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return
      if (link.hasAttribute('download') || link.getAttribute('target')) return
      event.preventDefault()
      this.go(link.getAttribute('href') ?? '/')
    })
  }

  go(address: string): void {
    history.pushState(null, '', address)
    this.route = parseRoute(address)
    scrollTo(0, 0)
  }
}

export const router = new Router()
