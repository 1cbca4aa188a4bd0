{{- define "gateway.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* Short enough for the suffixes, and for what a Deployment adds to the names of its pods. */}}
{{- define "gateway.fullname" -}}
{{- $name := include "gateway.name" . -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- default $full .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* What the pods of a component are selected by, which never changes: list <root> <component>. */}}
{{- define "gateway.selector" -}}
app.kubernetes.io/name: {{ include "gateway.name" (index . 0) }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "gateway.labels" -}}
{{ include "gateway.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* list <root> <tag of the component> */}}
{{- define "gateway.image" -}}
{{- $root := index . 0 -}}
{{- $image := $root.Values.image -}}
{{- $tag := coalesce (index . 1) $image.tag $root.Chart.AppVersion -}}
{{- if and $image.digest (not (index . 1)) -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $tag }}
{{- end -}}
{{- end -}}

{{- define "gateway.graceSeconds" -}}
{{- add (int .Values.settings.LAME_DUCK_SECONDS) (int .Values.settings.DRAIN_SECONDS) 15 -}}
{{- end -}}

{{/* The settings as variables. A number is written in full: the default would be 1.073741824e+09. */}}
{{- define "gateway.settings" -}}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ ternary $value (toJson $value) (kindIs "string" $value) | quote }}
{{- end }}
{{- with .Values.temporalTls }}
{{- if .existingSecret }}
{{- range $name, $file := dict "CA" .ca "CERT" .certificate "KEY" .key }}
{{- if $file }}
- name: TEMPORAL_TLS_{{ $name }}
  value: /run/temporal-tls/{{ $file }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Where secrets are: list <root> <dict of the setting, and its name in secrets.keys>. */}}
{{- define "gateway.secretVariables" -}}
{{- range $setting, $name := index . 1 }}
- name: {{ $setting }}_FILE
  value: /run/secrets/job-gateway/{{ $setting }}
{{- end }}
{{- end -}}

{{- define "gateway.secretVolume" -}}
{{- $secrets := (index . 0).Values.secrets -}}
- name: secrets
  projected:
    sources:
      {{- range $setting, $name := index . 1 }}
      {{- $place := index $secrets.keys $name | default dict }}
      - secret:
          name: {{ required (printf "secrets.existingSecret: the name of a Secret that has %s" $name) (coalesce $place.existingSecret $secrets.existingSecret) }}
          items: [{ key: {{ $place.key | default $name }}, path: {{ $setting }} }]
      {{- end }}
{{- end -}}

{{/* The secrets of api and worker: all but the owner's. */}}
{{- define "gateway.secretsOfProcesses" -}}
{{- $names := dict -}}
{{- range $name, $_ := .Values.secrets.keys -}}
{{- if ne $name "DATABASE_OWNER_URL" -}}
{{- $_ := set $names $name $name -}}
{{- end -}}
{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{/* What every pod has. The numeric user is that of the image. */}}
{{- define "gateway.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "gateway.container" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* The volumes of every container besides its secrets. */}}
{{- define "gateway.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: secrets, mountPath: /run/secrets/job-gateway, readOnly: true }
{{- if .Values.caCertificates.existingConfigMap }}
- { name: ca-certificates, mountPath: /run/ca-certificates, readOnly: true }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "gateway.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 256Mi }
{{- with .Values.caCertificates.existingConfigMap }}
- name: ca-certificates
  configMap: { name: {{ . }} }
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "gateway.furtherVariables" -}}
{{- with .Values.caCertificates }}
{{- if .existingConfigMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /run/ca-certificates/{{ .key }}
{{- end }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}
