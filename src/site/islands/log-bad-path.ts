console.error('404: there is no page at', window.location.pathname);
