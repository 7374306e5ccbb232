{{- define "latchkey.selector" -}}
app.kubernetes.io/name: {{ .Release.Name }}
{{- end }}
{{- define "latchkey.metadata" -}}
name: {{ .Release.Name }}
labels:
  {{- include "latchkey.selector" . | nindent 2 }}
  app.kubernetes.io/managed-by: {{ .Release.Service }}
  helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end }}
