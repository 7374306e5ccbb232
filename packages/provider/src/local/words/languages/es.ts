import type { Words } from "../words.ts";

export const spanish: Words = {
  direction: "ltr",
  notice:
    "Proveedor de pruebas local: cualquiera puede iniciar sesión aquí. No es para producción.",
  signInTo: "Iniciar sesión en {app}",
  choosePerson: "Elija una persona de ejemplo.",
  asksForOrganization: "{app} pide a alguien de la organización {organization}.",
  suggested: "Sugerencia",
  signedInHere: "Sesión iniciada aquí",
  cancel: "Cancelar",
  backTo: "Volver a {app}",
  notFoundTitle: "Página no encontrada",
  notFoundBody: "El proveedor de pruebas local no tiene ninguna página en esta dirección.",
  endedTitle: "Este inicio de sesión ha terminado",
  endedBody: "Ya se completó, tardó demasiado o se inició en otro navegador.",
  startAgain: "Vuelva a {app} y empiece de nuevo.",
  startAgainSomewhere: "Vuelva a la aplicación y empiece de nuevo.",
  errorTitle: "No podemos atender esta solicitud",
  errorBody:
    "Si esta página vuelve a aparecer, los ajustes de la aplicación no coinciden con los de este proveedor.",
  error: "Nombre del error",
  reason: "Motivo",
  name: "Proveedor de pruebas local",
  frontBody: "Inicie sesión en una aplicación como persona de ejemplo, sin ninguna cuenta.",
  app: "Aplicación",
  issuer: "Emisor",
  metadata: "Metadatos",
  signOutHere: "Cerrar sesión en este proveedor",
  signedOutTitle: "Ha cerrado sesión",
  signedOutBody:
    "Nadie tiene la sesión iniciada en el proveedor de pruebas local en este navegador.",
  signingOutTitle: "Cerrando su sesión",
  signingOutBody: "Esta página continúa sola en un momento.",
  continueLabel: "Continuar",
  remarks: {
    noOrganization: "sin organización",
    unconfirmed: "correo electrónico sin confirmar",
    rightToLeft: "nombre escrito de derecha a izquierda",
    longName: "nombre largo, 60 grupos",
  },
};
