import type { Words } from "../words.ts";

export const french: Words = {
  direction: "ltr",
  notice:
    "Fournisseur de test local : tout le monde peut se connecter ici. Pas pour la production.",
  signInTo: "Se connecter à {app}",
  choosePerson: "Choisissez une personne d'exemple.",
  asksForOrganization: "{app} demande quelqu'un de l'organisation {organization}.",
  suggested: "Suggestion",
  signedInHere: "Connexion active ici",
  cancel: "Annuler",
  backTo: "Retour à {app}",
  notFoundTitle: "Page introuvable",
  notFoundBody: "Le fournisseur de test local n'a pas de page à cette adresse.",
  endedTitle: "Cette connexion est terminée",
  endedBody:
    "Elle est déjà achevée, elle a duré trop longtemps ou elle a commencé dans un autre navigateur.",
  startAgain: "Revenez à {app} et recommencez.",
  startAgainSomewhere: "Revenez à l'application et recommencez.",
  errorTitle: "Nous ne pouvons pas traiter cette demande",
  errorBody:
    "Si cette page revient, les réglages de l'application ne correspondent pas à ceux de ce fournisseur.",
  error: "Nom de l'erreur",
  reason: "Raison",
  name: "Fournisseur de test local",
  frontBody: "Connectez-vous à une application en tant que personne d'exemple, sans aucun compte.",
  app: "Application",
  issuer: "Émetteur",
  metadata: "Métadonnées",
  signOutHere: "Se déconnecter de ce fournisseur",
  signedOutTitle: "Déconnexion effectuée",
  signedOutBody: "Personne n'est connecté au fournisseur de test local dans ce navigateur.",
  signingOutTitle: "Déconnexion en cours",
  signingOutBody: "Cette page continue d'elle-même dans un instant.",
  continueLabel: "Continuer",
  remarks: {
    noOrganization: "aucune organisation",
    unconfirmed: "adresse e-mail non confirmée",
    rightToLeft: "nom écrit de droite à gauche",
    longName: "nom long, 60 groupes",
  },
};
